import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    park_camera: { purpose: '相机的备注', ground: 'records', columns: { remark: 'text' } },
    park_camera_reading: {
      purpose: '车道识别：何时何车在哪条车道',
      ground: 'contract',
      retention: 'cameraReadings',
      columns: {
        plate_no: 'detail',
        checked_plate: 'detail',
        picture: 'files',
        reason: 'text',
        operator_name: 'name',
      },
    },
  },
  retention: [
    {
      key: 'cameraReadings',
      label: '车牌识别记录',
      content: '车牌、时间与抓拍，自识别之日起',
      basis: '反恐怖主义法第三十二条：采集的图像信息不少于九十日',
      unit: 'day',
      initial: 90,
      min: 90,
      max: 1000,
      steps: [{ table: 'park_camera_reading', due: ({ before }) => sql`t.create_time < ${before}` }],
    },
  ],
})
