import { expect, it } from 'vitest'
import { declareImport } from './import-export.ts'
import { menus } from './module.ts'

const menu = menus('sample', { sheet: { label: '样表', buttons: { import: '导入' } } })

it('the log tells a check of a file from its import (IMP-1)', () => {
  const { post } = declareImport({
    route: 'POST Sample/PostImport',
    title: '导入样表',
    needs: menu.sheet.permissions.import,
    affects: [],
    addsMissing: '楼栋',
  })
  expect(post.logTitle?.({ ProjectCode: 'P1' })).toBe('导入样表（校验）')
  expect(post.logTitle?.({ ProjectCode: 'P1', ImportID: '' })).toBe('导入样表（校验）')
  expect(post.logTitle?.({ ProjectCode: 'P1', ImportID: '12' })).toBe('导入样表')
  expect(post.logTitle?.({ ProjectCode: 'P1', AddMissing: 'true' })).toBe('导入样表')
})
