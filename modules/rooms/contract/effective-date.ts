import { call, everyone } from '#kit/contract/call.ts'
import { day, text } from '#kit/contract/field.ts'
import { byIds, shape } from '#kit/contract/shape.ts'

/** From which day on a change of these rooms may hold at the earliest, and why not earlier (C27-7). */
export const getEffectiveDateLimit = call({
  route: 'GET Room/GetEffectiveDateLimit',
  title: '最早生效日期',
  needs: everyone,
  input: byIds,
  output: shape({
    day: day('最早生效日期', { required: true }),
    cause: text('原因', { required: true }),
  }),
})
