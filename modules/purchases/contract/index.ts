import { declareContract } from '#kit/contract/module-contract.ts'
import * as actions from './actions.ts'
import * as choices from './choices.ts'
import * as order from './order.ts'
import * as purchase from './purchase.ts'
import * as receipt from './receipt.ts'
import * as setting from './setting.ts'
import * as supplier from './supplier.ts'

export const contract = {
  base: 'oa/v1',
  ...declareContract(choices, supplier, purchase, actions, order, receipt, setting),
}
