import { declareContract } from '#kit/contract/module-contract.ts'
import * as apply from './apply.ts'
import * as choices from './choices.ts'
import * as day from './day.ts'
import * as group from './group.ts'
import * as log from './log.ts'
import * as month from './month.ts'
import * as ownApply from './own-apply.ts'
import * as schedule from './schedule.ts'
import * as shift from './shift.ts'

export const contract = {
  base: 'oa/v1',
  ...declareContract(choices, shift, group, schedule, log, day, month, apply, ownApply),
}
