import * as choices from './choices.ts'
import { meter, meterPlan, meterReading, meterReplace } from './meter.ts'

export const contract = {
  calls: [],
  entities: [meter, meterPlan, meterReading, meterReplace],
  choices: Object.values(choices).filter(c => 'rows' in c),
}
