import { Client } from 'statline-client'
import { mount } from 'svelte'
import { date } from './day.ts'
import Games from './Games.svelte'

const target = document.querySelector('#games')
if (target) mount(Games, { target, props: { client: new Client({ url: '/graphql' }), date } })
