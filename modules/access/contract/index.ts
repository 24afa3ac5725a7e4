import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as doorway from './doorway.ts'
import * as doorwayDevice from './doorway-device.ts'
import * as group from './group.ts'
import * as publicTime from './public-time.ts'
import * as reach from './reach.ts'
import * as sync from './sync.ts'
import * as vipDoorway from './vip-doorway.ts'

export const contract = declareContract(
  choices,
  doorway,
  doorwayDevice,
  group,
  publicTime,
  vipDoorway,
  reach,
  sync,
)
