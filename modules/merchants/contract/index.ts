import { declareContract } from '#kit/contract/module-contract.ts'
import * as account from './account.ts'
import * as merchant from './merchant.ts'
import * as signIn from './sign-in.ts'

export const contract = { base: 'merchant/v1', ...declareContract(merchant, account, signIn) }
