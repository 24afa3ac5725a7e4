import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { exportHubExceptions, hubExceptions } from '../contract/exception.ts'
import { paths } from '../module.ts'
import { exceptionActions } from './exception-actions.ts'

/** 异常上报: what went wrong at piles and with orders, until somebody has dealt with it. */
export const pages = crudPages(hubExceptions, {
  paths: { list: paths.exceptions, detail: paths.exceptionDetail },
  unit: '条充电异常',
  itemName: '充电异常',
  export: exportHubExceptions,
  actions: exceptionActions,
  columns: [
    { key: 'occurTime', identity: true, width: 150 },
    { key: 'hubName', grow: 1 },
    { key: 'hubNo', hidePriority: 2 },
    { key: 'portNo', width: 64 },
    'exceptionType',
    { key: 'content', grow: 2, hidePriority: 1 },
    { key: 'orderNo', width: 150, hidePriority: 2 },
    { key: 'handlerName', hidePriority: 3 },
    'state',
  ],
  detail: [
    {
      title: '异常',
      keys: ['hubName', 'hubNo', 'portNo', 'orderNo', 'exceptionType', 'content', 'occurTime'],
    },
    { title: '处理', keys: ['state', 'handleNote', 'handlerName', 'handleTime'] },
  ],
  list: {
    keywordPlaceholder: '桩号、订单',
    barFilters: ['hubId', 'exceptionType', 'occurTime'],
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'open', name: '未处理', filter: { state: ['open'] } },
      { id: 'handled', name: '已处理', filter: { state: ['handled'] } },
    ],
  },
})
