"""A model of Mesa's: agents that roll a die, as often as a game of Barbarossa has turns. Mesa's processes import it."""

import mesa

UNITS, TURNS = 22, 13  # of Barbarossa


class Roller(mesa.Agent):
    """Rolls a die."""

    def step(self) -> None:
        self.pips = self.random.randint(1, 6)


class Field(mesa.Model):
    """Its results, at the end of a run, are the pips of each agent."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        Roller.create_agents(self, UNITS)
        self.datacollector = mesa.DataCollector(agent_reporters={"pips": "pips"})

    def step(self) -> None:
        self.agents.do("step")
        self.datacollector.collect(self)
