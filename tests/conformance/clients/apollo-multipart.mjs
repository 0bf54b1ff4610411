import connect from './apollo.mjs';

export default (settings) => connect({ ...settings, multipart: true });
