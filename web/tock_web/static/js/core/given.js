// What came with the document: words, board, who this phone is and the newest view (`given.py`).

export const given = JSON.parse(document.getElementById("given").textContent);
