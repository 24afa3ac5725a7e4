import { sql } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { stayState } from '../contract/choices.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    park_fee_rule: { purpose: '收费规则的备注', ground: 'records', columns: { remark: 'text' } },
    park_lane: { purpose: '车道的备注', ground: 'records', columns: { remark: 'text' } },
    parking_stay: {
      purpose: '停车出入：何时何车进出与收费',
      ground: 'contract',
      retention: 'parkingStays',
      columns: {
        plate_no: 'detail',
        original_plate: 'detail',
        in_photo: 'files',
        out_photo: 'files',
        release_reason: 'text',
        operator_name: 'name',
      },
    },
    park_lane_event: {
      purpose: '车道的判断：何时何车、放行与否',
      ground: 'contract',
      retention: 'parkingStays',
      columns: { plate_no: 'detail', reason: 'text', warning: 'text' },
    },
    park_lane_command: {
      purpose: '开闸：何人为何车何时开闸',
      ground: 'contract',
      retention: 'parkingStays',
      columns: { plate_no: 'detail', reason: 'text', result: 'text', operator_name: 'name' },
    },
    park_count_change: {
      purpose: '在场数校正的操作人',
      ground: 'records',
      columns: { reason: 'text', operator_name: 'name' },
    },
    parking_charge: {
      purpose: '停车收费',
      ground: 'law',
      columns: { plate_no: 'detail', explanation: 'text', cashier_name: 'name' },
    },
  },
  retention: [
    {
      key: 'parkingStays',
      label: '停车出入记录',
      content: '车牌、时间与抓拍，自出入之日起',
      basis: '反恐怖主义法第三十二条：采集的图像信息不少于九十日',
      unit: 'day',
      initial: 365,
      min: 90,
      max: 1000,
      steps: [
        {
          table: 'parking_stay',
          due: ({ before }) =>
            sql`t.update_time < ${before} and t.state not in ${codes(stayState, 'inside', 'paid')}`,
        },
        { table: 'park_lane_event', due: ({ before }) => sql`t.create_time < ${before}` },
        { table: 'park_lane_command', due: ({ before }) => sql`t.create_time < ${before}` },
      ],
    },
  ],
})
