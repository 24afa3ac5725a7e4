import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { SheetTable } from './report.tsx'

const none = { normal: 0, early: 0, late: 0, disorder: 0, missed: 0, abnormal: 0 }
const rates = { signedRate: '', punctualRate: '', missedRate: '' }

it('the monthly sheet leaves out whatever nothing was due of', () => {
  const row = (id: number, name: string, due: number) => ({ id: asId(id), name, due, ...none, ...rates })
  const rows = [row(1, '园区', 4), row(2, '停用路线', 0)]
  const html = renderToStaticMarkup(
    <SheetTable title="按路线" noun="路线" rates={{ rows, total: [row(0, '', 4)] }} />,
  )
  expect([html.includes('园区'), html.includes('停用路线')]).toEqual([true, false])
})
