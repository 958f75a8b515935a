async ([engine, asked, language]) => {
  // Asks the engine, a worker, all questions, and gives back the answers in their order.
  const worker = new Worker(engine, { type: "module" });
  const found = [];
  await new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.id === undefined || data.event === "interim") return;
      found[data.id] = data.error ? { error: data.error } : (data.reply ?? data.data);
      if (Object.keys(found).length === asked.length) resolve();
    };
    worker.postMessage({ language });
    asked.forEach(([what, body], id) => {
      worker.postMessage({ id, method: "POST", path: `/api/${what}`, body });
    });
  });
  worker.terminate();
  return found;
}
