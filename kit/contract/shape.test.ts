import { expect, it } from 'vitest'
import { crud } from './crud.ts'
import { entity } from './entity.ts'
import { day } from './field.ts'
import { menus } from './module.ts'

it('the bounds of a range have Chinese labels, also where the field is itself an end of a period', () => {
  const { permissions } = menus('probe', { thing: { label: '试验' } }).thing
  const thing = entity(
    'thing',
    '试验',
    { table: 'thing', tenancy: 'company', title: 'beginDate' },
    { beginDate: day('账期起'), endDate: day('账期止'), dueDate: day('应缴日') },
  )
  const { list } = crud(thing, {
    path: 'Thing',
    permissions,
    operations: ['list'],
    filters: ['beginDate', 'endDate', 'dueDate'],
  })
  const { fields } = list.input
  expect(
    ['beginDateFrom', 'beginDateTo', 'endDateFrom', 'endDateTo', 'dueDateFrom', 'dueDateTo'].map(
      key => fields[key]?.label,
    ),
  ).toEqual(['账期起不早于', '账期起不晚于', '账期止不早于', '账期止不晚于', '应缴日起', '应缴日止'])
})
