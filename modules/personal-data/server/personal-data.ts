import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    erasure_request: {
      purpose: '删除请求的办理记录',
      ground: 'law',
      columns: {
        person_name: 'kept',
        person_mobile: 'mobile',
        applicant_name: 'kept',
        reason: 'text',
        evidence: 'kept',
        end_reason: 'text',
        end_name: 'kept',
      },
    },
  },
})
