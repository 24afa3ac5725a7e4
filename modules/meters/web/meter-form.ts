import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import type { addMeter } from '../contract/meter-calls.ts'
import { MeterStateControl, SourceControl, SourceTypeControl } from './meter-controls.tsx'

export const formGroups = defineFormGroups([
  {
    title: '仪表',
    keys: [
      'meterNo',
      'meterKind',
      {
        key: 'meterUse',
        deriveValues: (v: unknown, x: { sourceType?: string }) =>
          v === 'household' && !x.sourceType ? { sourceType: 'room' } : undefined,
      },
      { key: 'state', control: MeterStateControl, wide: false },
      {
        key: 'sourceType',
        control: SourceTypeControl,
        label: '安装位置',
        wide: false,
        deriveValues: () => ({ sourceCode: undefined }),
      },
      {
        key: 'sourceCode',
        control: SourceControl,
        label: '房屋或公共区域',
        wide: false,
        help: '',
        isHidden: (v: { sourceType?: string }) => !v.sourceType,
      },
      'location',
      { key: 'parentMeterId', help: '分表填写总表，用于计算损耗' },
    ],
  },
  {
    title: '计数',
    keys: [
      { key: 'multiple', help: '仅对以后的读数生效' },
      'digits',
      'decimals',
      { key: 'initNum', help: '不填则首次读数不计用量' },
      'installDate',
    ],
  },
  {
    title: '智能表与检定',
    keys: [
      'isSmart',
      { key: 'deviceNo', help: '上报读数时用' },
      'prepayMode',
      'verifyDate',
      'nextVerifyDate',
      'remark',
    ],
  },
])

export const newMeter = {
  meterKind: 'cold',
  meterUse: 'household',
  sourceType: 'room',
  multiple: '1',
  decimals: 2,
  isSmart: false,
  prepayMode: 'after',
  state: 'active',
} satisfies Partial<NonNullable<typeof addMeter.input.T>>
