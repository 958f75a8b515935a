/* Browsers refuse workers to pages that are opened from a folder, and the search is one.
   There, and only there, a frame of the page stands in for it. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside = new Promise((ready) => {
        const script = frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = () => ready(inside);
        frame.contentDocument.body.appendChild(script);
      });
      this.frame = frame;
    }
    postMessage(data) {
      this.inside.then((to) => to.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
