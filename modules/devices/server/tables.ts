/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  device: ['access', 'planned-work'],
  device_event: [],
  device_event_rest: [],
  device_fault: [],
  device_item: ['access'],
  device_model: ['access'],
  gateway: [],
  gateway_key: [],
  gateway_pairing: [],
  remote_task: [],
  remote_task_output: [],
  watchdog: [],
} as const
