/** The frame of statistics over messages, for those of other modules. */
export { StatisticLines, Statistics, useStatisticSpan } from './statistics-table.tsx'
