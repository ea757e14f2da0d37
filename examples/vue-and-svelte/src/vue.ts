import { Client } from 'statline-client'
import { createApp } from 'vue'
import { date } from './day.ts'
import Games from './Games.vue'

createApp(Games, { client: new Client({ url: '/graphql' }), date }).mount('#games')
