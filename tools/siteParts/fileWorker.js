// A browser starts no worker for a page that was opened as a file. There the script of the worker runs in a hidden frame instead, so that
// the search works without a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      window.addEventListener("message", (event) => {
        if (event.source !== this.frame.contentWindow) return;
        const copy = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(copy);
        if (this.onmessage) this.onmessage(copy);
      });
      const inFrame = this.frame.contentWindow.document;
      inFrame.open();
      inFrame.write(`<html><body><script>
        self.postMessage = (data) => parent.postMessage(data, "*");
        self.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((done) => {
          const script = document.createElement("script");
          script.src = url;
          script.onload = done;
          document.body.append(script);
        })), Promise.resolve());
      <\/script><script src="${url}"><\/script></body></html>`);
      inFrame.close();
      this.ready = new Promise((done) => { this.frame.onload = done; });
    }
    postMessage(data) {
      const inFrame = this.frame.contentWindow;    // its postMessage is the worker's
      const send = () => inFrame.dispatchEvent(new inFrame.MessageEvent("message", { data }));
      if (this.frame.contentDocument && this.frame.contentDocument.readyState === "complete") send();
      else this.ready.then(send);
    }
    terminate() { this.frame.remove(); }
  };
}
