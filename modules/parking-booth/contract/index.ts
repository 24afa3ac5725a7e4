import { declareContract } from '#kit/contract/module-contract.ts'
import * as boothMoney from './booth-money.ts'
import * as choices from './choices.ts'
import * as flow from './flow.ts'
import * as laneView from './lane-view.ts'
import * as shiftEvent from './shift-event.ts'
import * as shift from './shift.ts'

export const contract = declareContract(choices, boothMoney, laneView, shift, shiftEvent, flow)
