// The server asks for argon2 to compare passwords. There is no password here, and argon2 cannot be built without a network.
const Module = require("node:module");

const load = Module._load;
Module._load = function (request, ...rest) {
  return request === "argon2" ? {} : load.call(this, request, ...rest);
};
