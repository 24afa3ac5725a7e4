/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  task_standard: [],
  work_figure: [],
  work_plan: ['patrol'],
  work_sign: [],
  work_step: [],
  work_task: ['patrol'],
} as const
