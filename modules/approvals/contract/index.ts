import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as delegate from './delegate.ts'
import * as formField from './form-field.ts'
import * as instance from './instance.ts'
import * as instanceActions from './instance-actions.ts'
import * as process from './process.ts'
import * as signature from './signature.ts'

export const contract = {
  base: 'oa/v1',
  ...declareContract(choices, formField, process, instance, instanceActions, delegate, signature),
}
