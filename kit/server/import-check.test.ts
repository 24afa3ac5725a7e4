import { expect, it } from 'vitest'
import { declareImport } from '#kit/contract/import-export.ts'
import { int, text } from '#kit/contract/field.ts'
import { menus } from '#kit/contract/module.ts'
import { readSheet } from '#kit/contract/sheet-reader.ts'
import { sheetSchemaOf } from '#kit/contract/sheet.ts'
import { checkLines } from './import-check.ts'
import type { ImportDefinition } from './import-definition.ts'

const menu = menus('sample', { sheet: { label: '样表', buttons: { import: '导入' } } })

interface Item {
  readonly name: string
  readonly size?: number
}

const definition: ImportDefinition<Item> = {
  kind: 'sample.item',
  calls: declareImport({
    route: 'POST Sample/PostImport',
    title: '导入样表',
    needs: menu.sheet.permissions.import,
    affects: [],
  }),
  sheet: sheetSchemaOf<Item>(
    '样表',
    { fields: { name: text('名称', { required: true }), size: int('数量') } },
    { unique: ['name'] },
  ),
  openSession: () => Promise.reject(new Error('not opened')),
}

it('counts a line once: a known one with faults is faulty, a repeated one repeated, the others are skipped (IMP-6)', async () => {
  const rows = [
    ['名称', '数量'],
    ['甲', '1'],
    ['乙', '二'],
    ['甲', '3'],
    ['丙', '4'],
  ]
  const checked = await checkLines(definition, readSheet(definition.sheet, rows), {
    findReferences: () => [],
    findExisting: lines =>
      Promise.resolve(
        new Map(lines.flatMap(({ line, row }) => (row.name === '丙' ? [] : [[line, row.name]]))),
      ),
    checkRow: () => [],
    isSkipped: ({ existing }) => existing !== undefined,
    apply: () => Promise.resolve(new Map()),
  })
  expect(checked.existing.map(fault => fault.line)).toEqual([2])
  expect(checked.skippedCount).toBe(1)
  expect(checked.faults.map(fault => fault.line)).toEqual([3])
  expect(checked.repeats.map(fault => fault.line)).toEqual([4])
  expect(checked.ready.map(line => line.line)).toEqual([2, 5])
})
