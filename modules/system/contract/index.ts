import { declareContract } from '#kit/contract/module-contract.ts'
import * as announcement from './announcement.ts'
import * as enums from './enums.ts'
import * as file from './file.ts'
import * as holiday from './holiday.ts'
import * as notification from './notification.ts'
import * as suggestion from './suggestion.ts'
import * as task from './task.ts'
import * as userSetting from './user-setting.ts'
import * as workQueue from './work-queue.ts'

export const contract = declareContract(
  announcement,
  enums,
  file,
  holiday,
  notification,
  suggestion,
  task,
  userSetting,
  workQueue,
)
