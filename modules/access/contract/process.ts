import { call } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, lines, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { credentialKind, passageDirection, rightSource } from './choices.ts'

const { permissions } = menu.doorway

const count = (label: string) => int(label, { required: true })

/** How one passes a door: by which credentials, rights, times and devices (ACS-2). */
export const getPassageProcess = call({
  route: 'GET Doorway/GetProcess',
  title: '查看通行流程',
  needs: permissions.reach,
  input: shape({ doorwayId: idOf('门', { required: true, min: 1, wire: ['DoorwayID', 'DoorwayId'] }) }),
  output: shape(
    {
      doorwayName: text('门', { required: true, wire: 'DoorName' }),
      isInUse: flag('启用', { required: true }),
      direction: choice('方向', passageDirection, { required: true }),
      openSeconds: int('开门时长', { required: true, unit: '秒' }),
      credentials: lines('凭证', {
        kind: choice('凭证', credentialKind, { required: true, wire: 'CredentialType' }),
        count: count('数量'),
      }),
      rights: lines('权限', {
        source: choice('依据', rightSource, { required: true }),
        name: text('名称'),
        windows: text('时间段', { required: true, wire: 'TimeText' }),
        people: count('人数'),
        credentials: count('凭证数'),
      }),
      freeTimes: lines('常开时段', { windows: text('时间段', { required: true, wire: 'TimeText' }) }),
      devices: lines('设备', {
        deviceName: text('设备', { required: true, wire: 'DevName' }),
        direction: choice('方向', passageDirection, { required: true }),
        isOnline: flag('在线', { wire: 'Online' }),
        wantedCount: count('应有'),
        waitingCount: count('待下发'),
        failedCount: count('失败'),
        removingCount: count('待删除'),
        missingReason: text('未下发原因'),
      }),
    },
    { entity: 'doorway' },
  ),
})
