/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  elevator: [],
  elevator_alarm: [],
  elevator_call: [],
  elevator_call_rest: [],
  elevator_command: [],
  elevator_maintenance: [],
  elevator_right: [],
} as const
