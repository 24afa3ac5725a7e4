import { declareContract } from '#kit/contract/module-contract.ts'
import * as alarm from './alarm.ts'
import * as callRecord from './call-record.ts'
import * as choices from './choices.ts'
import * as elevator from './elevator.ts'
import * as maintenance from './maintenance.ts'
import * as remote from './remote.ts'
import * as right from './right.ts'

export const contract = declareContract(choices, elevator, maintenance, right, callRecord, alarm, remote)
