/* Where the page cannot work: a sentence and the sheets instead of nothing. It is written for browsers of any age. */
(function () {
  "use strict";

  var SAID = {
    en: "This browser is too old for the page. Please update it, or open the page in another browser.",
    de: "Dieser Browser ist zu alt für die Seite. Bitte aktualisiere ihn, oder öffne die Seite in einem anderen Browser.",
    pl: "Ta przeglądarka jest za stara dla tej strony. Zaktualizuj ją albo otwórz stronę w innej przeglądarce.",
    fr: "Ce navigateur est trop ancien pour cette page. Mettez-le à jour ou ouvrez la page dans un autre navigateur."
  };
  var FOLDER = {
    en: "This page does not work from a folder. It has to come from a web server.",
    de: "Aus einem Ordner geöffnet geht diese Seite nicht. Sie muss von einem Webserver kommen.",
    pl: "Ta strona nie działa otwarta z folderu. Musi pochodzić z serwera WWW.",
    fr: "Cette page ne marche pas depuis un dossier. Elle doit venir d'un serveur web."
  };
  var SHEETS = {
    en: "The rules of thumb can be read without it:",
    de: "Die Faustregeln kannst du auch so lesen:",
    pl: "Krótkie wskazówki przeczytasz i bez niej:",
    fr: "Les règles simples se lisent quand même :"
  };
  // A module with one function that fills memory: memory.fill came last of what the page needs.
  var FILLS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 10, 13, 1, 11, 0, 65, 0, 65, 0, 65, 0, 252, 11, 0, 11];

  function meta(name) {
    var found = document.querySelector('meta[name="' + name + '"]');
    return found ? found.getAttribute("content") : "";
  }

  function fillsMemory() {
    try {
      return WebAssembly.validate(new Uint8Array(FILLS));
    } catch (error) {
      return false;
    }
  }

  /** Whether a worker can be a module: its options are read before its address, which is none. */
  function startsModules() {
    var asked = false;
    try {
      new Worker("http://[", Object.defineProperty({}, "type", { enumerable: true, get: function () { asked = true; return "module"; } }));
    } catch (error) {
      // there is no such address
    }
    return asked;
  }

  var isFile = location.protocol === "file:";

  function isModern() {
    if (isFile) return false;
    if (!("noModule" in document.createElement("script")) || !Array.prototype.at || !Object.hasOwn || !window.AbortSignal || !AbortSignal.prototype.throwIfAborted || !window.ResizeObserver) return false;
    return meta("answers") !== "phone" || (typeof window.BigInt === "function" && fillsMemory() && startsModules());
  }

  function paragraph(text) {
    var made = document.createElement("p");
    made.appendChild(document.createTextNode(text));
    return made;
  }

  function tell() {
    var language = (navigator.language || "en").slice(0, 2);
    var page = document.getElementById("page");
    if (!SAID[language]) language = "en";
    var sheets = JSON.parse(meta("sheets") || "{}")[language] || []; // [address, title] of each
    document.documentElement.lang = language;
    page.appendChild(paragraph((isFile ? FOLDER : SAID)[language]));
    if (!sheets.length) return;
    page.appendChild(paragraph(SHEETS[language]));
    for (var i = 0; i < sheets.length; i += 1) {
      var link = document.createElement("a");
      link.href = sheets[i][0];
      link.appendChild(document.createTextNode(sheets[i][1]));
      page.appendChild(document.createElement("p")).appendChild(link);
    }
  }

  if (isModern()) return;
  window.lamaOddsCannot = true;
  document.addEventListener("DOMContentLoaded", tell);
})();
