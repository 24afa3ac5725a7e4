import { declareContract } from '#kit/contract/module-contract.ts'
import * as bindingCalls from './binding-calls.ts'
import * as choices from './choices.ts'
import * as formula from './formula.ts'
import * as item from './item.ts'
import * as packages from './package.ts'
import * as relationCalls from './relation-calls.ts'
import * as relation from './relation.ts'
import * as standardCalls from './standard-calls.ts'
import * as standard from './standard.ts'
import * as transfer from './transfer.ts'
import * as trial from './trial.ts'

export const contract = {
  base: 'finance/v1',
  ...declareContract(
    bindingCalls,
    choices,
    formula,
    item,
    packages,
    relationCalls,
    relation,
    standardCalls,
    standard,
    transfer,
    trial,
  ),
}
