// Files of the browser as the module sees them: WASI's functions over a tree of Blobs, which
// are read as the module reads them, and of bytes that the module writes.

const BADF = 8, EXIST = 20, INVAL = 28, IO = 29, ISDIR = 31, NOENT = 44,
  NOSYS = 52, NOTDIR = 54;
const CREAT = 1, DIRECTORY = 2, EXCL = 4, TRUNC = 8; // of path_open
const CHARACTERS = 2, FOLDER = 3, FILE = 4; // types of files
const ROOT = 3; // the descriptor of the folder that all paths begin at
const BLOCK = 2 << 20, BLOCKS = 32; // bytes that are read at once; blocks that are kept

/** Is thrown where the module ends itself. */
export class Exit extends Error {
  constructor(status) {
    super(`the module ended with status ${status}`);
    this.status = status;
  }
}

let numbers = 0;

class Folder {
  constructor() {
    this.number = ++numbers;
    this.entries = new Map();
    this.type = FOLDER;
    this.size = 0;
    this.time = 0;
  }
}

const readBlob = (blob) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));

// Files one behind the other, read in blocks of which the newest are kept: a reading takes the
// browser milliseconds, however little is read, and the module comes back to small files.
class Shelf {
  constructor() {
    this.blobs = [];
    this.size = 0;
    this.blocks = new Map(); // by number; the last one was used last
  }

  // Returns the place of a Blob among all.
  add(blob) {
    this.blobs.push(blob);
    this.size += blob.size;
    return this.size - blob.size;
  }

  block(number) {
    this.whole ??= new Blob(this.blobs);
    const bytes = this.blocks.get(number) ??
      readBlob(this.whole.slice(number * BLOCK, (number + 1) * BLOCK));
    this.blocks.delete(number);
    this.blocks.set(number, bytes);
    if (this.blocks.size > BLOCKS) this.blocks.delete(this.blocks.keys().next().value);
    return bytes;
  }

  // Returns bytes from a place on: n, or those to the end of a block.
  read(at, n) {
    const from = at % BLOCK;
    return this.block((at - from) / BLOCK).subarray(from, from + n);
  }
}

// A file that is a Blob on a shelf.
class Given {
  constructor(blob, shelf) {
    this.number = ++numbers;
    this.blob = blob;
    this.shelf = shelf;
    this.place = shelf.add(blob);
    this.type = FILE;
    this.size = blob.size;
    this.time = blob.lastModified ?? 0;
  }

  read(at, n) {
    const most = Math.max(0, Math.min(n, this.size - at));
    if (most === 0) return new Uint8Array(0);
    try {
      return this.shelf.read(this.place + at, most);
    } catch { // one of the next files has changed or gone since it was chosen
      return readBlob(this.blob.slice(at, at + most));
    }
  }
}

// A file that the module writes.
class Written {
  constructor() {
    this.number = ++numbers;
    this.bytes = new Uint8Array(1 << 16);
    this.type = FILE;
    this.size = 0;
    this.time = 0;
  }

  read(at, n) { return this.bytes.subarray(at, Math.min(at + n, this.size)); }

  write(at, bytes) {
    if (at + bytes.length > this.bytes.length) {
      const more = new Uint8Array(2 * (at + bytes.length));
      more.set(this.bytes);
      this.bytes = more;
    }
    this.bytes.set(bytes, at);
    this.size = Math.max(this.size, at + bytes.length);
  }
}

/** A tree of files. `onRead` takes the number of bytes that were read for the first time. */
export class Files {
  constructor(onRead = () => {}) {
    this.root = new Folder();
    this.onRead = onRead;
    this.messages = ''; // what the module wrote to its standard error
    this.empty();
  }

  /** Removes all files. */
  empty() {
    this.root.entries = new Map([['tmp', new Folder()]]);
    this.shelf = new Shelf();
  }

  /** Adds a Blob by its path. */
  add(path, blob) {
    const names = path.split('/').filter((name) => name !== '');
    const last = names.pop();
    let folder = this.root;
    for (const name of names) {
      if (!folder.entries.has(name)) folder.entries.set(name, new Folder());
      folder = folder.entries.get(name);
    }
    folder.entries.set(last, new Given(blob, this.shelf));
  }

  // Returns the folder of a path, the name in it, and the node if there is one.
  find(path) {
    const names = [];
    for (const name of path.split('/')) {
      if (name === '..') names.pop();
      else if (name !== '' && name !== '.') names.push(name);
    }
    let node = this.root, folder = null;
    for (const name of names) {
      folder = node;
      node = folder?.entries?.get(name);
    }
    return { folder, name: names.at(-1), node };
  }

  /** Returns an instance of the compiled module, whose other imports are `host`. */
  instantiate(module, host) {
    const wasi = new Proxy(this.functions(), { get: (all, name) => all[name] ?? (() => NOSYS) });
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi, host });
    this.memory = instance.exports.memory;
    instance.exports._initialize();
    return instance;
  }

  view() { return new DataView(this.memory.buffer); }

  bytes(at, n) { return new Uint8Array(this.memory.buffer, at, n); }

  text(at, n) { return new TextDecoder().decode(this.bytes(at, n)); }

  // Calls f with each of the pieces of memory that a vector names, until it returns less
  // than the piece takes; returns the sum.
  each(vector, n, f) {
    const view = this.view();
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const size = view.getUint32(vector + 8 * i + 4, true);
      const done = f(this.bytes(view.getUint32(vector + 8 * i, true), size), sum);
      sum += done;
      if (done < size) break;
    }
    return sum;
  }

  // Reads into a vector, and returns what f returns for the number of bytes.
  read(node, at, vector, n, f) {
    try {
      const sum = this.each(vector, n, (to, done) => {
        let size = 0;
        for (let piece; (piece = node.read(at + done + size, to.length - size)).length > 0;) {
          to.set(piece, size);
          size += piece.length;
        }
        return size;
      });
      if (at + sum > (node.seen ?? 0)) {
        this.onRead(at + sum - (node.seen ?? 0));
        node.seen = at + sum;
      }
      return f(sum);
    } catch { // the file has changed or gone since it was chosen
      return IO;
    }
  }

  putStat(at, node) {
    const view = this.view();
    const time = BigInt(Math.round(node.time)) * 1000000n;
    this.bytes(at, 64).fill(0);
    view.setBigUint64(at + 8, BigInt(node.number), true);
    view.setUint8(at + 16, node.type);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(node.size), true);
    for (const place of [40, 48, 56]) view.setBigUint64(at + place, time, true);
  }

  putNumber(at, n) { this.view().setUint32(at, n, true); return 0; }

  // Puts the entries of a folder from a place on, as far as there is room for them.
  putEntries(folder, to, room, place) {
    const entries = [...folder.entries].slice(place);
    let used = 0;
    for (const [i, [text, node]] of entries.entries()) {
      const name = new TextEncoder().encode(text);
      const entry = new Uint8Array(24 + name.length);
      const view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(place + i + 1), true);
      view.setBigUint64(8, BigInt(node.number), true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, node.type);
      entry.set(name, 24);
      const part = entry.subarray(0, room - used);
      this.bytes(to + used, part.length).set(part);
      used += part.length;
      if (used === room) break;
    }
    return used;
  }

  open(path, flags) {
    const { folder, name, node } = this.find(path);
    if (node === undefined) {
      if (!(flags & CREAT) || !(folder instanceof Folder)) return NOENT;
      const made = new Written();
      folder.entries.set(name, made);
      return made;
    }
    if (flags & EXCL) return EXIST;
    if ((flags & DIRECTORY) && node.type !== FOLDER) return NOTDIR;
    if ((flags & TRUNC) && node instanceof Written) node.size = 0;
    return node;
  }

  functions() {
    const terminal = { type: CHARACTERS, number: 0, size: 0, time: 0 };
    const open = [0, 1, 2].map(() => ({ node: terminal, at: 0 }));
    open[ROOT] = { node: this.root, at: 0 };
    // Calls f with an open file; another descriptor is an error.
    const on = (fd, f) => (open[fd] === undefined ? BADF : f(open[fd], open[fd].node));
    const nothing = () => 0;
    return {
      args_get: nothing,
      args_sizes_get: (n, size) => this.putNumber(n, 0) || this.putNumber(size, 0),
      environ_get: nothing,
      environ_sizes_get: (n, size) => this.putNumber(n, 0) || this.putNumber(size, 0),
      clock_time_get: (clock, precision, to) => {
        const ms = clock === 0 ? Date.now() : performance.now();
        this.view().setBigUint64(to, BigInt(Math.round(ms * 1e6)), true);
        return 0;
      },
      proc_exit: (status) => { throw new Exit(status); },
      fd_prestat_get: (fd, to) => (fd !== ROOT ? BADF
        : this.putNumber(to, 0) || this.putNumber(to + 4, 1)),
      fd_prestat_dir_name: (fd, to) => { this.bytes(to, 1)[0] = 47; return 0; },
      fd_fdstat_get: (fd, to) => on(fd, (file, node) => {
        this.bytes(to, 24).fill(0);
        this.bytes(to, 1)[0] = node.type;
        this.bytes(to + 8, 16).fill(255);
        return 0;
      }),
      fd_fdstat_set_flags: nothing,
      fd_filestat_get: (fd, to) => on(fd, (file, node) => { this.putStat(to, node); return 0; }),
      path_filestat_get: (fd, how, path, n, to) => {
        const { node } = this.find(this.text(path, n));
        if (node === undefined) return NOENT;
        this.putStat(to, node);
        return 0;
      },
      path_open: (fd, how, path, n, flags, rights, inherited, mode, to) => {
        const node = this.open(this.text(path, n), flags);
        if (typeof node === 'number') return node;
        open.push({ node, at: 0 });
        return this.putNumber(to, open.length - 1);
      },
      path_unlink_file: (fd, path, n) => {
        const { folder, name, node } = this.find(this.text(path, n));
        if (node === undefined) return NOENT;
        folder.entries.delete(name);
        return 0;
      },
      path_rename: (fd, path, n, toFd, toPath, toN) => {
        const from = this.find(this.text(path, n)), to = this.find(this.text(toPath, toN));
        if (from.node === undefined || !(to.folder instanceof Folder)) return NOENT;
        from.folder.entries.delete(from.name);
        to.folder.entries.set(to.name, from.node);
        return 0;
      },
      path_readlink: () => INVAL,
      fd_close: (fd) => on(fd, () => { open[fd] = undefined; return 0; }),
      fd_read: (fd, vector, n, to) => on(fd, (file, node) => {
        if (node.type === FOLDER) return ISDIR;
        if (node.read === undefined) return this.putNumber(to, 0);
        return this.read(node, file.at, vector, n, (sum) => {
          file.at += sum;
          return this.putNumber(to, sum);
        });
      }),
      fd_pread: (fd, vector, n, at, to) => on(fd, (file, node) => (node.read === undefined
        ? INVAL : this.read(node, Number(at), vector, n, (sum) => this.putNumber(to, sum)))),
      fd_write: (fd, vector, n, to) => on(fd, (file, node) => this.putNumber(to,
        this.each(vector, n, (from) => {
          if (node instanceof Written) node.write(file.at, from);
          else if (fd === 2) this.messages += new TextDecoder().decode(from);
          file.at += from.length;
          return from.length;
        }))),
      fd_seek: (fd, by, from, to) => on(fd, (file, node) => {
        file.at = Number(by) + [0, file.at, node.size][from];
        this.view().setBigUint64(to, BigInt(file.at), true);
        return 0;
      }),
      fd_tell: (fd, to) => on(fd, (file) => {
        this.view().setBigUint64(to, BigInt(file.at), true);
        return 0;
      }),
      fd_readdir: (fd, to, room, place, used) => on(fd, (file, node) => (node.type !== FOLDER
        ? NOTDIR : this.putNumber(used, this.putEntries(node, to, room, Number(place))))),
    };
  }
}
