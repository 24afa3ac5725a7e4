import { declareContract } from '#kit/contract/module-contract.ts'
import * as cardReader from './card-reader.ts'
import * as choices from './choices.ts'
import * as doorwayAlarm from './doorway-alarm.ts'
import * as doorway from './doorway.ts'
import * as doorwayDevice from './doorway-device.ts'
import * as group from './group.ts'
import * as ownAccess from './own-access.ts'
import * as passCode from './pass-code.ts'
import * as passage from './passage.ts'
import * as passageStatistics from './passage-statistics.ts'
import * as personLink from './person-link.ts'
import * as intercom from './intercom.ts'
import * as process from './process.ts'
import * as publicTime from './public-time.ts'
import * as reach from './reach.ts'
import * as remoteOpen from './remote-open.ts'
import * as sync from './sync.ts'
import * as unsynced from './unsynced.ts'
import * as vipDoorway from './vip-doorway.ts'

export const contract = declareContract(
  choices,
  cardReader,
  doorway,
  doorwayDevice,
  group,
  intercom,
  process,
  publicTime,
  vipDoorway,
  reach,
  sync,
  passage,
  passageStatistics,
  remoteOpen,
  passCode,
  ownAccess,
  personLink,
  doorwayAlarm,
  unsynced,
)
