// Parts that all of the messages have.

export const HEAD = 8; // bytes in front of every message

/** Throws where a message ends before what is to be read. */
export function need(view, at, size, what) {
  if (at + size > view.byteLength) {
    throw new Error(`${what} is cut short: ${size} bytes needed at ${at}, the message has ${view.byteLength}`);
  }
}

/** Takes arrays one after the other. */
export function taker(buffer, from) {
  let at = from;
  return (Type, length) => {
    const array = new Type(buffer, at, length);
    at += array.byteLength;
    return array;
  };
}

/** Throws where an index is not below `count`. */
export function checkIndices(indices, count, what) {
  for (let i = 0; i < indices.length; ++i) {
    if (indices[i] >= count) throw new Error(`${what} names vertex ${indices[i]} of ${count}`);
  }
}
