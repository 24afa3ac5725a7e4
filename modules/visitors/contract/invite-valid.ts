import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { passDirection, validResult } from './choices.ts'
import { hiddenReference } from './fields.ts'

/** A code that was shown at a gate, and what it was worth; never changed. */
export const inviteValid = entity(
  'inviteValid',
  '邀请核验记录',
  { table: 'invite_valid', tenancy: 'project', title: 'visitorName', order: ['-id'] },
  {
    projectCode: estateField(),
    invitationId: ref('邀访', 'invitation', { wire: 'InviteID', ...hiddenReference }),
    visitorId: ref('访客', 'inviteVisitor', { wire: 'VisitorID', ...hiddenReference }),
    visitorName: lookup('访客', 'visitorId', 'visitorName', { searchable: true, wire: 'VisitorName' }),
    locationId: ref('门岗', 'visitorLocation', { wire: 'LocationID', ...hiddenReference }),
    locationName: lookup('门岗', 'locationId', 'locationName', { wire: 'LocationName' }),
    doorwayId: ref('门', 'doorway', { wire: 'DoorwayID', ...hiddenReference }),
    doorwayName: lookup('门', 'doorwayId', 'doorwayName', { wire: 'DoorName' }),
    direction: choice('方向', passDirection, { required: true, initial: 'in' }),
    validTime: moment('核验时间', { required: true }),
    result: choice('结果', validResult, { required: true }),
    reason: text('说明', { max: 200, hiddenIn: ['filter'] }),
    guardId: ref('岗位人员', 'manager', { wire: 'GuardID', ...hiddenReference }),
    guardName: text('岗位人员', { max: 40, hiddenIn: ['filter'] }),
  },
)

export type InviteValid = Row<typeof inviteValid>
