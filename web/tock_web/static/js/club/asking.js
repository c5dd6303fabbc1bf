// A field of the club's forms.

import { h } from "../core/dom.js";

/** A field with its label. @type {(id: string, label: string, field: HTMLElement) => HTMLParagraphElement} */
export function labelled(id, label, field) {
  field.id = id;
  field.dataset.testid = id;
  return h("p.field", h("label", { for: id }, label), field);
}
