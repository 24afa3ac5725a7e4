import { declareContract } from '#kit/contract/module-contract.ts'
import * as audience from './audience.ts'
import * as block from './block.ts'
import * as choices from './choices.ts'
import * as message from './message.ts'
import * as numberFile from './number-file.ts'
import * as quota from './quota.ts'
import * as smsChoices from './sms-choices.ts'
import * as statistics from './statistics.ts'
import * as task from './task.ts'
import * as template from './template.ts'

export const contract = declareContract(
  audience,
  choices,
  smsChoices,
  message,
  numberFile,
  quota,
  block,
  template,
  statistics,
  task,
)
