import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { DatePicker } from './date-picker.tsx'

it('the placeholder of a calendar has its final size before it is fetched', () => {
  const small = renderToStaticMarkup(<DatePicker size="small" style={{ width: 110 }} />)
  expect(small).toContain('aria-label="正在加载"')
  expect(small).toContain('width:110px')
  expect(small).toContain('ant-input-sm')
  expect(renderToStaticMarkup(<DatePicker.RangePicker style={{ width: '100%' }} />)).toContain('width:100%')
})
