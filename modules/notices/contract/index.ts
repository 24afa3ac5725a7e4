import { declareContract } from '#kit/contract/module-contract.ts'
import * as advertisement from './advertisement.ts'
import * as choices from './choices.ts'
import * as direct from './direct.ts'
import * as home from './home.ts'
import * as matter from './matter.ts'
import * as notice from './notice.ts'
import * as receiver from './receiver.ts'
import * as screen from './screen.ts'
import * as statistics from './statistics.ts'
import * as template from './template.ts'
import * as version from './version.ts'

export const contract = {
  base: 'publicnotice/v1',
  ...declareContract(
    choices,
    notice,
    version,
    receiver,
    template,
    direct,
    screen,
    advertisement,
    matter,
    home,
    statistics,
  ),
}
