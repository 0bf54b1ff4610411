import connect from './urql.mjs';

export default (settings) => connect({ ...settings, events: true });
