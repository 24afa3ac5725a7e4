import type { MeterReading } from '../contract/meter.ts'
import { usageUnits } from '../contract/choices.ts'

export const usageWords = (r: Pick<MeterReading, 'usage' | 'meterKind'>): string => (r.usage === undefined ? '--' : `${r.usage} ${usageUnits[r.meterKind]}`)
export const mobile = '/intelligentMeter/checkmeter/mobilemeterreading'
