// What a client pushes into a sink, as an async iterable; an error ends it.
export async function* feed(subscribe) {
  const pending = [];
  let wake = () => {};
  const push = (item) => {
    pending.push(item);
    wake();
  };
  const unsubscribe = subscribe({
    next: (value) => push({ value }),
    error: (error) => push({ error }),
    complete: () => push({ done: true }),
  });
  try {
    for (;;) {
      while (!pending.length) await new Promise((resolve) => (wake = resolve));
      const item = pending.shift();
      if (item.done) return;
      if ('error' in item) throw item.error;
      yield item.value;
    }
  } finally {
    unsubscribe();
  }
}

// The data of a result that has no errors.
export function dataOf({ data, error, errors }) {
  if (error ?? errors) throw error ?? new Error(JSON.stringify(errors));
  return data;
}
