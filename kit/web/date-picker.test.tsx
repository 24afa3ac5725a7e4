import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { DatePicker } from './date-picker.tsx'

it('until a calendar is fetched its place is as large as it will be', () => {
  const small = renderToStaticMarkup(<DatePicker size="small" style={{ width: 110 }} />)
  expect(small).toContain('aria-label="正在加载"')
  expect(small).toContain('width:110px')
  expect(small).toContain('ant-input-sm')
  expect(renderToStaticMarkup(<DatePicker.RangePicker style={{ width: '100%' }} />)).toContain('width:100%')
})
