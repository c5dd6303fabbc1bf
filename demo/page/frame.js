// One frame of the demo: fetches a page of the companion over the line of its phone, and loads it here.

const asked = new URLSearchParams(location.search);
const phone = Number(asked.get("phone"));

/** Load another page of the companion in this frame. @param {string} path */
function go(path) {
  location.replace(`frame.html?phone=${phone}&path=${encodeURIComponent(path)}`);
}

const line = { ...parent.lineOf(phone), go };
globalThis.remoteLine = line;
const answer = await line.fetch(asked.get("path") ?? "/");
const here = new URL("static/", location.href).href;
const html = (await answer.text()).replaceAll(/\/static\/[0-9a-f]{10}\//g, here);
const page = new DOMParser().parseFromString(html, "text/html");
const script = page.querySelector("script[type=module]");
script?.remove();
for (const { name, value } of page.documentElement.attributes)
  document.documentElement.setAttribute(name, value);
document.head.append(...page.head.children);
const own = document.createElement("link");
own.rel = "stylesheet";
own.href = "frame.css";
document.head.append(own);
document.body.replaceWith(page.body);
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='/']") : null;
  if (!link || link.hasAttribute("download")) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
});
if (script) await import(/** @type {HTMLScriptElement} */ (script).src);
