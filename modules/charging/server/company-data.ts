import { secretColumn, transientColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    charger_hub: {
      columns: {
        run_key_hash: secretColumn('密钥'),
        run_connection_key: transientColumn('连接'),
      },
    },
    charger_port: {
      label: '充电端口',
      columns: {
        id: '编号',
        project_code: '项目编码',
        hub_id: '充电桩编号',
        port_no: '端口',
        state: '端口状态',
        error_text: '故障',
        run_free_since: '空闲起始时间',
      },
    },
    charger_order: {
      columns: {
        run_fee_item_id: '收费项目编号',
        run_terms: '计费方式明细',
        run_bought: '套餐',
        run_id_tag: secretColumn('充电凭证'),
        run_request_key: transientColumn('下单请求'),
        run_start_until: '启动期限',
        run_start_sent: '已发送启动',
        run_meter_start: '起始读数',
        run_clock_behind: '桩时钟落后（秒）',
        run_stop_reason: '计划停止原因',
        run_stop_refused: '桩拒绝停止的时间',
        run_left_time: '离位时间',
        run_is_settled: '已结算',
      },
    },
    charger_sample: {
      label: '充电读数',
      columns: {
        id: '编号',
        project_code: '项目编码',
        order_id: '充电订单编号',
        at: '时间',
        watt_hours: '电量（瓦时）',
        is_believed: '计入电量',
      },
    },
  },
}
