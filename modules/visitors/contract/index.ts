import { declareContract } from '#kit/contract/module-contract.ts'
import * as askedQuestions from './asked-questions.ts'
import * as block from './block.ts'
import * as check from './check.ts'
import * as checkType from './check-type.ts'
import * as choices from './choices.ts'
import * as guest from './guest.ts'
import * as host from './host.ts'
import * as invitation from './invitation.ts'
import * as invitations from './invitations.ts'
import * as inviteValid from './invite-valid.ts'
import * as location from './location.ts'
import * as rule from './rule.ts'
import * as setting from './setting.ts'
import * as template from './template.ts'
import * as visit from './visit.ts'
import * as visitRecord from './visit-record.ts'
import * as visitStatistics from './visit-statistics.ts'
import * as visitor from './visitor.ts'

export const contract = declareContract(
  choices,
  rule,
  checkType,
  setting,
  location,
  invitation,
  invitations,
  askedQuestions,
  host,
  guest,
  visitor,
  inviteValid,
  visitRecord,
  block,
  template,
  check,
  visit,
  visitStatistics,
)
