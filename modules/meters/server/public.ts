export {
  billReadings,
  releaseReadings,
  findUnbilledReadings,
  type BilledReading,
  type UnbilledReading,
  type UnbilledReadingQuery,
} from './unbilled-readings.ts'

/** How usage is counted by month, for other sums of the same readings. */
export { countedOnceCondition, wasDueCondition, selectMetersByMonth } from './report.ts'
export { loadRoomUsage } from './month-usage.ts'
