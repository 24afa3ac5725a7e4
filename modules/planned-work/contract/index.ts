import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as exports from './exports.ts'
import * as overview from './overview.ts'
import * as plan from './plan.ts'
import * as schedule from './schedule.ts'
import * as standard from './standard.ts'
import * as taskCalls from './task-calls.ts'
import * as task from './task.ts'

export const contract = declareContract(choices, plan, task, standard, schedule, taskCalls, exports, overview)
