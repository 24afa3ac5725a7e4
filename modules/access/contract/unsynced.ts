import { call } from '#kit/contract/call.ts'
import { choice, idOf, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { itemState } from '#modules/devices/contract/choices.ts'
import { cardPermissions } from '#modules/residents/contract/card.ts'
import { credentialKind } from './choices.ts'

/** Of somebody's credentials: what devices do not have yet, and what they still have (ACS-3). */
export const listUnsynced = call({
  route: 'GET Doorway/GetUnsynced',
  title: '查询未同步的凭证',
  // Of those who see the cards themselves: they move people out and end cards.
  needs: cardPermissions.view,
  input: shape({
    userId: idOf('住户', { min: 1, wire: ['UserID', 'UserId'] }),
    staffId: idOf('员工', { min: 1, wire: ['StaffID', 'StaffId'] }),
  }),
  output: listOfRows(
    {
      doorwayName: text('门', { required: true, wire: 'DoorName' }),
      deviceName: text('设备', { required: true, wire: 'DevName' }),
      kind: choice('凭证', credentialKind, { required: true, wire: 'CredentialType' }),
      number: text('卡号', { wire: 'CardNo' }),
      state: choice('状态', itemState, { required: true }),
      reason: text('原因', { required: true }),
    },
    { entity: 'doorwayDevice' },
  ),
})
