import type { Locale } from 'antd/es/locale'

/**
 * The Chinese of the library's parts that the product uses. Its own table also holds the texts of tables,
 * transfers, tours and the messages of a form's validator, which every page would load; a calendar brings its
 * words itself.
 */
const zhCN: Locale = {
  locale: 'zh-cn',
  global: { placeholder: '请选择', close: '关闭', show: '显示', hide: '隐藏' },
  Modal: { okText: '确定', cancelText: '取消', justOkText: '知道了' },
  Empty: { description: '暂无数据' },
  QRCode: { expired: '二维码过期', refresh: '点击刷新', scanned: '已扫描' },
}

export default zhCN
