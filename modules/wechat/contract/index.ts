import { declareContract } from '#kit/contract/module-contract.ts'
import * as account from './account.ts'
import * as choices from './choices.ts'
import * as estateBinding from './estate-binding.ts'
import * as follower from './follower.ts'
import * as mass from './mass.ts'
import * as material from './material.ts'
import * as menuCalls from './menu.ts'
import * as miniImage from './mini-image.ts'
import * as reply from './reply.ts'
import * as template from './template.ts'

export const contract = {
  base: 'msgcenter/v1',
  ...declareContract(
    choices,
    account,
    estateBinding,
    menuCalls,
    reply,
    material,
    template,
    follower,
    mass,
    miniImage,
  ),
}
