export { billReadings, releaseReadings, type BilledReading } from './reading-billing.ts'
export { findUnbilledReadings, type UnbilledReading, type UnbilledReadingQuery } from './unbilled-readings.ts'

/** How usage is counted by month, for other sums over the same readings. */
export { countedOnceCondition, wasDueCondition, selectMetersByMonth } from './report.ts'
export { loadRoomUsage } from './month-usage.ts'
