/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  api_key: [],
  api_key_call: [],
  api_key_call_rest: [],
  webhook_delivery: [],
  webhook_endpoint: [],
  webhook_event: [],
} as const
